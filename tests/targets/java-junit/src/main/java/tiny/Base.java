package tiny;

class Base {
    protected final String name;

    Base(String name) {
        super();
        this.name = name.isEmpty() ? "nobody" : name;
    }

    public String name() {
        return name;
    }
}
