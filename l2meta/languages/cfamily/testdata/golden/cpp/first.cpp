class First : public Base, private ns::Named {
public:
    explicit First(int taken, const Item& made = Item()) : Base(taken), made_(made) { start(taken); }
    First(const First&) = delete;
    virtual ~First();
    static First make();
    Item run(int times, ...) const override {
        Item local(times), *held = new Item{1};
        for (auto& i : list_) i.use(times);
        made_.use(plain);
        held->use(2);
        return local;
    }
    int operator[](int i) const { return list_[i].size(); }
    virtual void given(Item* item, void (*done)(int)) = 0;
    int plain = 1, other;
protected:
    struct Inner { Item held; };
    enum Kind { One, Two = 2 };
private:
    Item made_;
    std::vector<Item> list_;
    static const int most = 3;
};

Item First::walk(int n) { return run(n); }
First::~First() {}
