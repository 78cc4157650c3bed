import React, { memo, useState, type FC } from "react";
import { render } from "@testing-library/react";
import * as UI from "./ui";

type Props = { title: string; onClose?: () => void };

/** A card on the board. */
export const Card: FC<Props> = ({ title, onClose }) => {
  const [open, setOpen] = useState<boolean>(false);
  const toggle = () => setOpen(!open);
  return (
    <UI.Panel title={title} onClose={onClose} {...rest()}>
      <button onClick={toggle}>{label(open)}</button>
      {items.map((item) => <Row key={item.id} item={item} />)}
    </UI.Panel>
  );
};

export const Fast = memo(React.forwardRef<HTMLDivElement, Props>(function Inner(props, ref) {
  return <><Card {...props} /></>;
}));

export function useBoard(id: string, retries = 3) {
  const board = useQuery({
    queryKey: [id],
    queryFn: async () => fetchBoard(id),
    onError(e) { report(e); },
  });
  React.useEffect(() => {
    function onKey(e: KeyboardEvent) { close(e); }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [id]);
  return board;
}

export default function Board<T,>({ id }: { id: T }) {
  if (!id) return null;
  return <Card title="x" />;
}

export class Legacy extends React.Component<Props> {
  state = { open: false };
  static defaultProps: Partial<Props> = {};
  handleClick = (): void => this.setState({ open: true });
  render() {
    return <div onClick={this.handleClick} />;
  }
}

function Upper() { return 1; }
const helper = (x: number) => x;

describe("Board", () => {
  const setup = () => render(<Board id={1} />);
  beforeEach(() => { setup(); });
  it("renders a card", async () => {
    expect(setup().container).toBeTruthy();
  });
  it.each([[1], [2]])(`adds ${1}`, (n) => { helper(n); });
  test.skip("later", function () {});
  it("has no body");
});
