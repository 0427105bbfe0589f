import type { Branding } from '../look.ts';

/** What the server wrote into the page of the organization: there before anything is asked for. */
export function readBranding(root: HTMLElement): Branding {
  return JSON.parse(root.dataset['look'] ?? '{"title":""}') as Branding;
}

/**
 * Gives the page the organization's colours: by script, since the policy allows no inline style.
 */
export function applyTheme({ palette }: Branding): void {
  if (!palette) return;
  const { style } = document.documentElement;
  const { mine, onMine, accent } = palette;
  style.setProperty('--mine', mine);
  style.setProperty('--on-mine', onMine);
  style.setProperty('--accent', `light-dark(${accent.light}, ${accent.dark})`);
}
