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

export const AttachIcon = () => (
  <Icon path="M16.5 6v11a4.5 4.5 0 0 1-9 0V5a3 3 0 0 1 6 0v10.5a1.5 1.5 0 0 1-3 0V6H12v-.5 10h.1V5a1.6 1.6 0 0 0-3.1 0v12a3 3 0 0 0 6 0V6z" />
);

export const CameraIcon = () => (
  <Icon path="M9 4 7.2 6H4a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-3.2L15 4zm3 4a5 5 0 1 1 0 10 5 5 0 0 1 0-10zm0 2a3 3 0 1 0 0 6 3 3 0 0 0 0-6z" />
);

export const RetryIcon = () => (
  <Icon path="M12 4a8 8 0 0 1 6.9 4H16v2h6V4h-2v2.3A10 10 0 1 0 22 12h-2a8 8 0 1 1-8-8z" />
);

export const PreviousIcon = () => <Icon path="M15.4 4.6 8 12l7.4 7.4-1.4 1.4L5.2 12 14 3.2z" />;

export const NextIcon = () => <Icon path="M8.6 4.6 16 12l-7.4 7.4 1.4 1.4 8.8-8.8L10 3.2z" />;

function Icon({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path fill-rule="evenodd" d={path} />
    </svg>
  );
}
