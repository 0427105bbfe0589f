import { useEffect, useState } from 'preact/hooks';

const LOOK_MS = 60_000;

/** Returns the local day. Renders again at midnight. */
export function useToday(): string {
  const [today, setToday] = useState(readDay);
  useEffect(() => {
    const look = () => setToday(readDay());
    const timer = setInterval(look, LOOK_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return today;
}

function readDay(): string {
  return new Date().toDateString();
}
