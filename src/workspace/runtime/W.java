package wildcaught.rt; public final class W { }
