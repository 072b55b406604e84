/** What a program says; throws what it says of its failure. */
export async function run(command: readonly string[], cwd?: string): Promise<string> {
  const child = Bun.spawn([...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  })
  const [said, faults] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${faults || said}`)
  return said
}
