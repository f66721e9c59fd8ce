# Writes what each test came to, in JUnit's format, into the directory in which the tests were started.
require "tmpdir"

module WildcaughtReport
  FILE = File.expand_path("wildcaught-junit-#{Process.pid}.xml")
  CASES = []

  def self.quoted(text)
    text = text.to_s.dup.force_encoding("UTF-8").scrub("?")
    text.gsub(/[&<>"\n\t\r]/) { |char| "&##{char.ord};" }.gsub(/[\x00-\x1f]/, "?")
  end

  # `outcome` is nil for a test that passed, [:skipped, ""] or [:failure, message].
  def self.add(group, name, seconds, outcome)
    inner = outcome && "<#{outcome[0]} message=\"#{quoted(outcome[1].to_s[0, 4000])}\"/>"
    CASES << "<testcase classname=\"#{quoted(group)}\" name=\"#{quoted(name)}\" time=\"#{seconds}\">#{inner}</testcase>\n"
  end

  def self.write
    File.write(FILE, "<testsuite name=\"ruby\">\n#{CASES.join}</testsuite>\n")
  end
end
