int a = 4;
int i = 0;
while (i < 3) {
  a = a + i * 2;
  i = i + 1;
}
print(a);
int b = (1 - 6) * (2 - 9) + a;
if (a < b) {
  b = b - a / 2;
}
print(b);
print(7 * 6 - b);
