#!/usr/bin/env lua
-- A queue; "quotes" and 'apostrophes don't matter here.
--[[ a long comment
with ]=] inside, and "quotes" ]]
--[==[ another
]] still in it
]==]
--[ a line comment
--[=not a long one either

local strings = {
  "esc \" \\ \n \065 \x41 \u{1F600}", 'it\'s', "", '',
  "joined \
line", "gap \z
        goes on", 'gap \z   "here"',
  [[long "quotes" \ no escapes
second line]], [==[ with ]] and ]=] inside ]==], [[]],
}
local numbers = { 0, 1., .5, 1.5e-3, 1e+10, 0xFF, 0x1.8p3, 0x.8p-1, 3.e2, 42LL }

local Queue = {}
Queue.__index = Queue

function Queue.new(size, ...)
  local self <const> = setmetatable({ items = { ... }, first = 1, ["last"] = #{ ... } }, Queue)
  return self
end

function Queue:push(value)
  if not value or self.first ~= nil and #self.items >= 10 then
    return nil, "full: " .. #self.items .. " of " .. 10 .. "\n"
  elseif value == false then
    goto continue
  else
    self.items[#self.items + 1] = value
  end
  for i = #self.items, 1, -1 do self.items[i] = (self.items[i] or 0) * 2 ^ 3 % 5 // 2 / 1 end
  for key, item in pairs(self.items) do print(key, item) end
  while self.first <= 7 do self.first = self.first + 1; break end
  repeat local done = true until done or self.first > 3 and self.first < 9
  local bits = 0xFF & ~0 | 1 ~ 2 << 1 >> 1
  ::continue::
  local nested = self.items[self.items[1]]
  print "call without parentheses"
  print [[long call]]
  print { x = 1; y = 2 }
  return function(...) return select("#", ...), bits, nested end
