/** The version of the package that this is. */
export async function programVersion(): Promise<string> {
  const file = Bun.file(new URL('../../../package.json', import.meta.url))
  return ((await file.json()) as { version: string }).version
}
