int x = 8 / 2;
if (x < 5) {
  print(x - 1);
}
if (5 < x) {
  print(0);
}
