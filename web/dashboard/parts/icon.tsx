/** Strokes on a grid of 24, all drawn with the same pen. */
const shapes = {
  home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  images: 'M4 5h16v14H4zM4 16l4.500-4.500 4 4 3-3L20 17M15.500 9.500h.01',
  upload: 'M12 16V5M7.500 9.500L12 5l4.500 4.500M4 16v3h16v-3',
  download: 'M12 4v11M7.500 11L12 15.500 16.500 11M4 16v3h16v-3',
  crop: 'M7 2v15h15M2 7h15v15',
  layers: 'M12 3l9 5-9 5-9-5zM3 13l9 5 9-5',
  globe:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c5 5.500 5 12.500 0 18M12 3c-5 5.500-5 12.500 0 18',
  rules: 'M4 6h10M4 12h16M4 18h7M18 4v4M15 16v4',
  sweep: 'M4 20h16M14 4l-4 8M7 12h8l2 8H5z',
  gauge: 'M4 18a9 9 0 1 1 16 0zM12 15l4-5',
  chart: 'M4 20h16M6 16v-4M11 16V6M16 16V9',
  terminal: 'M4 5h16v14H4zM7.500 9.500l3 2.500-3 2.500M13 15h4',
  history: 'M4 12a8 8 0 1 0 2.500-5.800L4 8.500M4 4v4.500h4.500M12 8v4.500l3 1.500',
  people:
    'M9 4a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM3 20c0-3.500 2.500-6 6-6s6 2.500 6 6M16 4.500a3 3 0 0 1 0 6M17.500 14.500c2 .7 3.500 2.800 3.500 5.500',
  key: 'M8 12a4 4 0 1 0 0 .010zM12 12h9v3M17 12v3',
  webhook:
    'M9 8a3 3 0 1 1 5 2.200l-2 .8-3 6M7 14a3 3 0 1 0 2.800 4H17M14.500 9.500L17 14a3 3 0 1 1-1 5.500',
  shield: 'M12 3l8 3v6c0 4.500-3.500 7.500-8 9-4.500-1.500-8-4.500-8-9V6zM9 12l2 2 4-4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  exit: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600L19 19M5 19l1.400-1.400M17.600 6.400L19 5',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z',
  screen: 'M3 5h18v11H3zM9 20h6M12 16v4',
  search: 'M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500L21 21',
  grid: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  rows: 'M4 5h16M4 9.500h16M4 14h16M4 18.500h16',
  list: 'M4 6h.01M8 6h12M4 12h.01M8 12h12M4 18h.01M8 18h12',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.500l4.500 4.500L19 7',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  undo: 'M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  folder: 'M3 6h7l2 2h9v11H3z',
  video: 'M4 5h16v14H4zM8 5v14M16 5v14M4 9h4M4 15h4M16 9h4M16 15h4',
  alert: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l1.500 2h-15zM10 21h4',
  pulse: 'M3 12h4l3-8 4 16 3-8h4',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5M12 8h.01',
  plus: 'M12 5v14M5 12h14',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4l12 8-12 8z',
  retry: 'M20 12a8 8 0 1 1-2.500-5.800L20 8.500M20 4v4.500h-4.500',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  target: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 2v5M12 17v5M2 12h5M17 12h5',
  compass: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM15.500 8.500l-2 5-5 2 2-5z',
  down: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  book: 'M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2zM5 18a2 2 0 0 1 2-2h12M9 8h6',
  compare: 'M12 3v18M4 7h5v10H4zM15 7h5v10h-5z',
  minus: 'M5 12h14',
  pencil: 'M4 20h4L19.500 8.500l-4-4L4 16zM13 7l4 4',
  swap: 'M7 5L3.500 8.500 7 12M4 8.500h13M17 12l3.500 3.500L17 19M20 15.500H7',
  branch:
    'M7 8.500v7M7 8.500a2.250 2.250 0 1 0 0-4.500 2.250 2.250 0 0 0 0 4.500zM7 20a2.250 2.250 0 1 0 0-4.500 2.250 2.250 0 0 0 0 4.500zM17 11a2.250 2.250 0 1 0 0-4.500 2.250 2.250 0 0 0 0 4.500zM17 11c0 4-6 3-9 5',
  eraser: 'M9 20h11M4.500 15.500L14 6l5.500 5.500-8.500 8.500H9zM9.500 10.500L15 16',
  left: 'M15 6l-6 6 6 6',
  right: 'M9 6l6 6-6 6',
  spark: 'M12 3l2 6.500 6.500 2.500-6.500 2.500-2 6.500-2-6.500L3.500 12 10 9.500z',
} as const

export type IconName = keyof typeof shapes

/** A sign beside words; it says nothing that the words do not. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <path d={shapes[name]} />
  </svg>
)
