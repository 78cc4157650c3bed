-- Windows lines.
local M = {}

--- Adds.
---@param a number
function M.add(a, b)
  return a + b
end

return M
