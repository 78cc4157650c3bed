import Foundation
@testable import ImageKit
import struct SwiftUI.Image

/// Where images come from.
public protocol ImageSource: AnyObject, Sendable {
    associatedtype Key: Hashable
    var name: String { get }
    var limit: Int { get set }
    /// Loads one image.
    func image(for key: Key) async throws -> Data
    init(name: String)
}

public typealias Handler<T> = (Result<T, Error>) -> Void

/**
 Keeps images in memory.

 - Note: Bounded by `capacity`.
 */
@MainActor
public final class ImageStore<Key: Hashable>: NSObject, ImageSource {
    @Published private(set) var count: Int = 0
    public static let shared = ImageStore<String>(name: "größe")
    private var cache: [Key: Data] = [:], order: [Key] = []
    public let name: String
    weak var delegate: ImageStoreDelegate?
    lazy var queue = DispatchQueue(label: "images")

    public var limit: Int = 10 {
        willSet { log("limit", newValue) }
        didSet { trim() }
    }

    /// True when nothing is kept.
    var isEmpty: Bool { cache.isEmpty && order.count == 0 }

    var size: Double {
        get { Double(bytes()) }
        set { resize(to: newValue) }
    }

    public required init(name: String) {
        self.name = name
        super.init()
    }

    convenience init?(_ url: URL, limit: Int = 3) {
        guard let host = url.host else { return nil }
        self.init(name: host)
        self.limit = limit
    }

    deinit { NotificationCenter.default.removeObserver(self) }

    @discardableResult
    public func image(for key: Key) async throws -> Data {
        if let hit = cache[key] { return hit }
        let data = try await loader.load(key, retries: 2)
        cache[key] = data
        #assert(data.count > 0)
        handlers.forEach { $0(.success(data)) }
        func trimLocal(_ n: Int) { drop(n) }
        trimLocal(1)
        return data
    }

    static func join(_ parts: String..., separator: String = ",") -> String {
        parts.joined(separator: separator)
    }

    subscript(key: Key) -> Data? {
        get { cache[key] }
        set { cache[key] = newValue }
    }

    enum Policy: String, CaseIterable {
        case keep = "keep", drop
        indirect case both(Policy, after: Int)

        var strict: Bool { self == .keep }
    }
}

extension ImageStore: CustomStringConvertible where Key: Codable {
    public var description: String { "\(name)" }
}

struct Point: Equatable {
    let x, y: Double
    static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
    mutating func move(by d: inout Double) { d = 0 }
}

actor Counter {
    private var value = 0
    nonisolated func peek() -> Int { 0 }
    func up() { value += 1 }
}

#if DEBUG
fileprivate func debugOnly() {}
#endif

let version = "1.0"
var retries: Int = 3

final class ImageStoreTests: XCTestCase {
    func testLoads() throws { XCTAssertEqual(try store().count, 1) }
    @Test("loads again") func again() { #expect(Point(x: 1, y: 2).x == 1) }
}
