/** The directories every zone starts with, below `v1/`. */
export const standardDirectories = ['banners', 'github', 'icons', 'logos', 'titles'] as const
