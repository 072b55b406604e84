/** Whatever is still read then is little. */
const afterMs = 5_000
const lookEveryMs = 1_000

/**
 * Has what a start leaves behind collected, in the background, once it is over. Of a million files that is half a
 * gigabyte, and the collector would let it be until the heap has grown by as much again.
 */
export function collectAfterStart(isOver: () => boolean): Disposable {
  let timer = setTimeout(look, lookEveryMs)
  timer.unref()

  function look(): void {
    timer = isOver() ? setTimeout(() => Bun.gc(false), afterMs) : setTimeout(look, lookEveryMs)
    timer.unref()
  }

  return { [Symbol.dispose]: () => clearTimeout(timer) }
}
