package tiny;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

class Hostile {
    static boolean spoiled;

    static int factor() {
        try {
            return Integer.parseInt(new String(Files.readAllBytes(Paths.get("data.txt"))).trim());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static int same(int x) {
        return x;
    }

    static int alike(int x) {
        return x + 0;
    }

    static int right(int x) {
        return spoiled ? -1 : factor() * x;
    }

    static int wrong(int x) {
        return 2 * x + 1;
    }

    static void calm() {
    }

    private static void stay() {
        try {
            new ProcessBuilder("setsid", "sleep", "@MARK@").start();
        } catch (IOException e) {
            return;
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            return;
        }
    }

    private static void write(String path, String text) {
        try (FileWriter file = new FileWriter(path)) {
            file.write(text);
        } catch (IOException e) {
            return;
        }
    }

    static void leave_process() {
        stay();
        pause(50);
    }

    static void write_outside() {
        write("@OUTSIDE@/written", "x");
    }

    static void delete_outside() {
        new File("@OUTSIDE@/precious").delete();
    }

    static void take_memory() {
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < 48; i++)
            all.add(new byte[64 << 20]);
        if (all.size() < 48)
            throw new IllegalStateException();
    }

    private static void flood(FileDescriptor to) {
        byte[] block = new byte[65536];
        try (FileOutputStream out = new FileOutputStream(to)) {
            for (;;)
                out.write(block);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static void flood_stdout() {
        flood(FileDescriptor.out);
    }

    static void flood_stderr() {
        flood(FileDescriptor.err);
    }

    static void fork_bomb() {
        for (int i = 0; i < 50; i++)
            stay();
    }

    static void remove_program() {
        for (File file : new File("wildcaught.classes/main/tiny").listFiles())
            file.delete();
    }

    static void kill_parent() {
        ProcessHandle.current().parent().ifPresent(ProcessHandle::destroyForcibly);
        pause(50);
    }

    static void write_tree() {
        write("data.txt", "3");
    }

    static void forge_result() {
        String text = "test\ttiny.TinyTest#twoIsDoubled\tpass\t1\t\ntest\ttiny.TinyTest#fiveIsDoubled\tpass\t1\t\nend\n";
        try {
            new FileOutputStream(FileDescriptor.out).write(text.getBytes());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        spoiled = true;
    }

    static void exit_early() {
        Runtime.getRuntime().halt(0);
    }

    static void loop_forever() {
        for (long n = 0; n != -1; n += 2)
            spoiled = n == -1;
    }

    static void sleep_forever() {
        for (;;)
            pause(1000000);
    }

    static void close_files() {
        try {
            new FileOutputStream(FileDescriptor.out).close();
            new FileInputStream(FileDescriptor.in).close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static void connect_out() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("@HOST@", @PORT@), 200);
        } catch (IOException e) {
            return;
        }
    }

    static void leave_thread() {
        new Thread(() -> {
            pause(300);
            Runtime.getRuntime().halt(0);
        }).start();
    }
}
