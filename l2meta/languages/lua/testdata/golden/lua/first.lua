local First = {}
First.__index = First
local most, other = 3, require("shop.item")

function First.new(taken, ...)
  local self = setmetatable({}, First)
  self.made = other.new(taken)
  return self
end

function First:run(times)
  for i = 1, times do self.made:use(i) end
  local function inner(x) return self:walk(x) end
  return inner(most)
end

First.walk = function(n) return n end
First.nested = { go = function() return First.new(1) end, size = 2 }
goto done
::done::
return First
