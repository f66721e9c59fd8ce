print(2 * 3);
print(8 / 4 + 1);
print((1 + 2) * (3 - 1));
print(-5 + 2);
