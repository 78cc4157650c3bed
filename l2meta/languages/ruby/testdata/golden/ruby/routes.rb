require 'sinatra/base'

class Shop < Sinatra::Base
  def wares
  end

  limit = 3

  get '/wares/:id' do |id|
    wares
    limit
  end

  post '/wares' do
    halt 201
  end

  cache.get '/key' do
    wares
  end
end
