#!/usr/bin/env lua
-- Sessions, kept in memory.
local socket = require("socket")
local json = require "cjson.safe"
local ok, zlib = pcall(require, "zlib")
require("strict")

---@class Session
---@field id string the key
---@field ttl? number
local Session = {}
Session.__index = Session
Session.VERSION = "1.2"

local M = { sessions = {}, default_ttl = 60 }
MAX_SESSIONS = 100
local a, b, c = 1, compute(2), nil

--- Opens a session.
---@param id string
---@param opts? {ttl: number, name?: string}
---@return Session
function Session.new(id, opts)
  opts = opts or {}
  local self = setmetatable({}, Session)
  self.id = id
  self.ttl = opts.ttl or M.default_ttl
  return self
end

-- Says whether it has ended.
function Session:expired(now, ...)
  if self.ttl <= 0 then return false end
  return socket.gettime() - self.started > self.ttl, select("#", ...)
end

local function encode(value)
  local function inner(v) return json.encode(v) end
  return inner(value)
end

local x = 1
-- Drops what has ended.

-- Called by a timer.
M.sweep = function(limit)
  for id, s in pairs(M.sessions) do
    if s:expired(os.time()) then
      M.sessions[id] = nil
      M.on.drop:emit("drop", id)
    end
  end
  table.sort(M.list, function(l, r) return l.id < r.id end)
end

local handlers = {
  --- Handles a GET.
  get = function(req) return M.find(req.params.id):to_json() end,
  ["content-type"] = "application/json",
  nested = {
    put = function(req, res) res:send(encode(req.body)) end,
  },
}

function M.router.api.mount(app)
  app.use "logger"
  app.config { depth = 2 }
  handlers.get { id = 1 }
  M.call(unpack(handlers), ...)
  goto done
  ::done::
end

--[[ Block
comment ]]
function M.size() return #M.sessions, "größe" end

M.config = { depth = { max = 1, on = function() end } }

return M
