package services

// These texts in the place of a mounted router are no expressions.
const (
	SomeRouter = "*" // a router that is not known: app.include_router(routers[i])
	NeedsMount = "!" // with a name, a router that serves nothing unless it is mounted: !items for items = APIRouter()
)
