namespace Wildcaught {
    /// Which mutant of a unit is on; read from the environment once.
    public static class W {
        static readonly ushort[] On = new ushort[@UNITS@];
        static readonly System.IO.FileStream Reach;
        static readonly bool[] Seen = new bool[@UNITS@];

        static W() {
            var list = System.Environment.GetEnvironmentVariable("WILDCAUGHT_ON") ?? "";
            foreach (var item in list.Split(new[] { ',' }, System.StringSplitOptions.RemoveEmptyEntries)) {
                var parts = item.Split(':');
                On[int.Parse(parts[0])] = ushort.Parse(parts[1]);
            }
            var path = System.Environment.GetEnvironmentVariable("WILDCAUGHT_REACH");
            if (!string.IsNullOrEmpty(path)) {
                Reach = new System.IO.FileStream(path, System.IO.FileMode.Open, System.IO.FileAccess.Write,
                    System.IO.FileShare.ReadWrite);
            }
        }

        public static bool Off(int unit) {
            if (Reach != null && !Seen[unit]) {
                lock (Seen) {
                    Seen[unit] = true;
                    Reach.Seek(unit, System.IO.SeekOrigin.Begin);
                    Reach.WriteByte(1);
                    Reach.Flush();
                }
            }
            return On[unit] == 0;
        }

        public static bool Is(int unit, int mutant) { return On[unit] == mutant; }
    }
}
