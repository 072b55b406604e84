/** What git would refuse as a path of a repository touches nothing. */
export const isPathspec = (path: string): boolean =>
  path === '' ||
  path.split('/').every((name) => !['', '.', '..'].includes(name) && !name.includes('\0'))
