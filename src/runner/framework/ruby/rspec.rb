# A formatter of RSpec.
require_relative "report"

class WildcaughtFormatter
  RSpec::Core::Formatters.register self, :example_passed, :example_failed, :example_pending, :close

  def initialize(output); end

  def example_passed(notice)
    add(notice.example, nil)
  end

  def example_failed(notice)
    add(notice.example, [:failure, notice.exception.message])
  end

  def example_pending(notice)
    add(notice.example, [:skipped, ""])
  end

  def close(_notice)
    WildcaughtReport.write
  end

  private

  def add(example, outcome)
    WildcaughtReport.add(example.file_path, example.full_description, example.execution_result.run_time, outcome)
  end
end
