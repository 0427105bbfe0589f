/** Width of the button of the menu, beside the name of a list. */
const MENU_PX = 34;

/**
 * Returns how many of the tabs fit into a line of this width. If not all fit, a menu follows them,
 * which is as wide as the chosen tab if that is in the menu.
 */
export function countFitting(widths: readonly number[], room: number, chosen: number): number {
  const sum = (count: number) => widths.slice(0, count).reduce((all, width) => all + width, 0);
  if (sum(widths.length) <= room) return widths.length;
  for (let count = widths.length - 1; count > 0; count -= 1) {
    const menu = MENU_PX + (chosen >= count ? (widths[chosen] ?? 0) : 0);
    if (sum(count) + menu <= room) return count;
  }
  return 0;
}
