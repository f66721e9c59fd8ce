# A reporter of Minitest, which finds plugins by the name of their file.
require_relative "../report"

module Minitest
  class WildcaughtReporter < AbstractReporter
    def record(result)
      group = result.respond_to?(:klass) ? result.klass : result.class.name
      outcome = nil
      outcome = [:failure, result.failure.message] if result.failure
      outcome = [:skipped, ""] if result.skipped?
      WildcaughtReport.add(group, result.name, result.time, outcome)
    end

    def report
      WildcaughtReport.write
    end
  end

  def self.plugin_wildcaught_init(_options)
    reporter << WildcaughtReporter.new
  end
end
