import { useEffect, useRef, useState } from 'react'

/** Hears of files that are dropped on the window, unless a place of its own takes them; answers whether some hover. */
export function useFileDrops(onDrop: (transfer: DataTransfer) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onDrop)
  useEffect(() => {
    latest.current = onDrop
  })
  useEffect(() => {
    let depth = 0
    const end = () => {
      depth = 0
      setOver(false)
    }
    const enter = (event: DragEvent) => {
      if (hasFiles(event)) depth += 1
    }
    const leave = (event: DragEvent) => {
      if (hasFiles(event)) depth -= 1
      if (depth <= 0) end()
    }
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(!isPlaceOfItsOwn(event))
    }
    const drop = (event: DragEvent) => {
      end()
      // A place of its own has taken them already.
      if (event.defaultPrevented || !hasFiles(event) || event.dataTransfer === null) return
      event.preventDefault()
      latest.current(event.dataTransfer)
    }
    const gone = new AbortController()
    const { signal } = gone
    window.addEventListener('dragenter', enter, { signal })
    window.addEventListener('dragleave', leave, { signal })
    window.addEventListener('dragover', over, { signal })
    window.addEventListener('drop', drop, { signal })
    return () => gone.abort()
  }, [])
  return isOver
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') === true

/** It says itself where they go. */
const isPlaceOfItsOwn = ({ target }: DragEvent): boolean =>
  target instanceof Element && target.closest('.drop-zone, [data-takes-files]') !== null
