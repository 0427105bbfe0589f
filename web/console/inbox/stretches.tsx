import { Component } from 'preact';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TimelineMessage } from './conversation.ts';
import { Line } from './line.tsx';

const LENGTH = 25;
/** Stretches that are further away than this are not on the page. */
const AROUND = '1500px 0px';

interface Props {
  messages: readonly TimelineMessage[];
  /** What scrolls. */
  log: RefObject<HTMLElement | null>;
}

/**
 * The messages in stretches of 25 numbers, of which only those near what is seen are on the
 * page: five thousand messages scroll like a hundred.
 */
export function Stretches({ messages, log }: Props) {
  const stretches = new Map<number, TimelineMessage[]>();
  for (const message of messages) {
    const number = Math.floor((message.sequence ?? 0) / LENGTH);
    const begun = stretches.get(number);
    if (begun) begun.push(message);
    else stretches.set(number, [message]);
  }
  return (
    <>
      {[...stretches].map(([number, some]) => (
        <Unchanged key={number} messages={some} log={log} />
      ))}
    </>
  );
}

/** A stretch is drawn anew only where one of its messages is another than before. */
class Unchanged extends Component<Props> {
  override shouldComponentUpdate({ messages }: Props): boolean {
    const before = this.props.messages;
    return messages.length !== before.length || messages.some((one, at) => one !== before[at]);
  }

  override render({ messages, log }: Props) {
    return <Stretch messages={messages} log={log} />;
  }
}

function Stretch({ messages, log }: Props) {
  const list = useRef<HTMLOListElement>(null);
  // How high it was when it left; it holds its place.
  const [leftAt, setLeftAt] = useState<number | undefined>(undefined);
  useEffect(() => {
    const { current } = list;
    if (!current) return undefined;
    const observer = new IntersectionObserver(
      (seen) => {
        for (const { isIntersecting, boundingClientRect } of seen)
          setLeftAt(isIntersecting ? undefined : boundingClientRect.height);
      },
      { root: log.current, rootMargin: AROUND },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [log]);
  return (
    <ol ref={list} style={leftAt === undefined ? undefined : { height: `${leftAt}px` }}>
      {leftAt === undefined ? messages.map((message) => <Line key={message.id} message={message} />) : null}
    </ol>
  );
}
