class First: Base, Named {
    let taken: Int, kept = ""
    private(set) var made = Item()
    static let shared = First(taken: 1)
    lazy var late: Item = { make() }()
    var read: Int { get { taken } set { taken = newValue } }

    init(taken: Int, _ more: String...) {
        self.taken = taken
        super.init()
        start(taken)
    }

    deinit { stop() }

    func run(_ times: Int, with item: Item = Item()) throws -> Item {
        let local = Item()
        for i in 0..<times { local.use(i) }
        made.use(taken)
        return local
    }

    subscript(i: Int) -> Item { made }
    class func make() -> First { First(taken: 2) }
    enum Kind: String { case one, two(Int) }
    struct Inner { var held: Item }
    protocol Given { func given(_ item: Item) }
}
