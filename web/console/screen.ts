import type { RoutePath } from './route.ts';
import type { Session } from './session.ts';

/** What every screen is given. */
export interface ScreenProps {
  session: Session;
  /** What the address says after the screen's own word. */
  place: RoutePath;
}
