/** What is read whole are settings, rules and descriptions. Whoever pushes may have put anything there. */
const mostBytes = 64 * 2 ** 20

/** For bytes that are about to be held in memory all at once. */
export function refuseLong({ sizeBytes }: { readonly sizeBytes: number }): void {
  if (sizeBytes > mostBytes)
    throw new Error(`${sizeBytes} bytes are too many to be read at once: at most ${mostBytes} are`)
}
