import { useEffect, useState } from 'react'

import { useSearch } from '../../router.tsx'

/** Whether the dialog of a page that makes something is open; a link to the page can open it by `create`. */
export function useOpening() {
  const [{ create }, change] = useSearch()
  const [isOpen, setOpen] = useState(false)
  const isWanted = create !== undefined
  useEffect(() => {
    if (!isWanted) return
    setOpen(true)
    change({ create: undefined }, { replaces: true })
  }, [isWanted, change])
  return [isOpen, setOpen] as const
}
