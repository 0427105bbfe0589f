/** Icons are SVG, because fonts differ between machines. */
export const SendIcon = () => <Icon path="M3 20.5v-7l9-1.5-9-1.5v-7L22 12z" />;

export const PlaceIcon = () => (
  <Icon path="M12 2a7 7 0 0 0-7 7c0 5 7 13 7 13s7-8 7-13a7 7 0 0 0-7-7zm0 4.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z" />
);

export const DownIcon = () => (
  <Icon path="M10.8 4h2.4v11.2l4.4-4.4 1.7 1.7L12 19.8l-7.3-7.3 1.7-1.7 4.4 4.4z" />
);

export const CloseIcon = () => (
  <Icon path="M5.6 4.2 12 10.6l6.4-6.4 1.4 1.4-6.4 6.4 6.4 6.4-1.4 1.4-6.4-6.4-6.4 6.4-1.4-1.4 6.4-6.4-6.4-6.4z" />
);

export const MoreIcon = () => (
  <Icon path="M12 3.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4zm0 6.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4zm0 6.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4z" />
);

function Icon({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path fill-rule="evenodd" d={path} />
    </svg>
  );
}
