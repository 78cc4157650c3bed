// Broken.swift: the grammar does not know a type in an optional binding, and gives up on the class around it.
import Foundation

@MainActor
@Observable public class StatusModel {
  let status: Status
  var embedded: Status?

  private func loadById() async -> Bool {
    if embedded == nil,
      let id = status.quote?.id
    {
      if let embed = Cache.shared.get(id: id) {
        embedded = embed
        return true
      } else if let embed: Status = try? await client.get(endpoint: Statuses.status(id: id)) {
        embedded = embed
        return true
      }
      return false
    }
    return false
  }

  func pin() async {
    update(status: status)
  }
}

struct After {
  func last() {}
}
