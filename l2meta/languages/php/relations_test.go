package php_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/languages/php"
)

func TestRelations(t *testing.T) {
	got := languagetest.Relations(t, php.Language{}, map[string]string{
		"composer.json": `{"autoload": {"psr-4": {"App\\": "src/"}}}`,
		"src/Base.php": `<?php
namespace App;
use App\Other as Renamed;
use App\Deep\{One, Two};
use function App\helper;
use Foreign\Thing;
interface Runs { function run(); const N = 1; }
abstract class Base implements Runs { function __construct() {} function run() {} abstract function must();
private function hidden() {} static function make() {} public $done;
function __invoke() {} final function last() {} }
class Sub extends Base { function run() {} function must() {} function hidden() {} static function make() {} }
class Low extends Sub { function __construct() {} function run() {} }
class Another { use Mixed; }
trait Mixed { function run() {} function mixed() {} abstract function needs(); }
class Uses { use Mixed { mixed as renamed; } function needs() {} function mixed() {} }
enum Suit implements Runs { case A; function run() {} }
class Far extends Thing { function run() {} }
function run() {}
`,
		"src/Other.php":    "<?php\nnamespace App;\nclass Other {}\nfunction helper() {}\n",
		"src/Deep/One.php": "<?php\nnamespace App\\Deep;\nclass One {}\n",
	}, "src/Base.php")
	languagetest.CheckRelations(t, got, `
Runs calls Runs, runs, RUNS, self, static heirs Base, Low, Sub, Suit
Runs.run calls run, RUN, Run below Base.run, Low.run, Sub.run, Suit.run not on Base, Low, Sub, Suit
Runs.N calls N, n
Base calls Base, base, BASE, self, static heirs Low, Sub
Base.__construct calls __construct, __CONSTRUCT, Base, base, BASE, self, static, parent below Low.__construct
Base.run calls run, RUN, Run below Low.run, Sub.run above Runs.run
Base.must calls must, MUST, Must below Sub.must
Base.hidden calls hidden, HIDDEN, Hidden
Base.make calls make, MAKE, Make below Sub.make
Base.done calls done, __invoke
Base.__invoke calls __invoke, Base
Base.last calls last, LAST, Last
Sub calls Sub, sub, SUB, self, static heirs Low new Base.__construct
Sub.run calls run, RUN, Run below Low.run above Base.run, Runs.run
Sub.must calls must, MUST, Must above Base.must
Sub.hidden calls hidden, HIDDEN, Hidden above Base.hidden
Sub.make calls make, MAKE, Make above Base.make
Low calls Low, low, LOW, self, static
Low.__construct calls __construct, __CONSTRUCT, Low, low, LOW, self, static, parent above Base.__construct
Low.run calls run, RUN, Run above Base.run, Runs.run, Sub.run
Another calls Another, another, ANOTHER, self, static
Mixed calls Mixed, mixed, MIXED, self, static heirs Another, Uses
Mixed.run calls run, RUN, Run
Mixed.mixed calls mixed, MIXED, Mixed below Uses.mixed
Mixed.needs calls needs, NEEDS, Needs below Uses.needs
Uses calls Uses, uses, USES, self, static
Uses.needs calls needs, NEEDS, Needs above Mixed.needs
Uses.mixed calls mixed, MIXED, Mixed above Mixed.mixed
Suit calls Suit, suit, SUIT, self, static
Suit.A calls A, a
Suit.run calls run, RUN, Run above Runs.run
Far calls Far, far, FAR, self, static
Far.run calls run, RUN, Run
run calls run, RUN, Run
import App Other src/Other.php
import App\Deep One src/Deep/One.php
import App\Deep Two
import App helper src/Other.php
import Foreign Thing
`)
}
