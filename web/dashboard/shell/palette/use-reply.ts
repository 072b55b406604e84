import { useEffect, useState } from 'react'

import { askAssistant, nothingYet, type Reply, type Update } from '../../assistant/reply.ts'

/** Asks the assistant; another question ends the former answer, and nothing of it is shown any more. */
export function useReply(question: string): Reply & { readonly retry: () => void } {
  const [reply, setReply] = useState(nothingYet)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    const end = new AbortController()
    const update: Update = (change) => {
      if (!end.signal.aborted) setReply(change)
    }
    setReply(nothingYet)
    askAssistant({ message: question, history: [], signal: end.signal }, update).catch(
      (error: unknown) => update((before) => ({ ...before, state: 'failed', error })),
    )
    return () => end.abort()
  }, [question, tries])
  return { ...reply, retry: () => setTries(tries + 1) }
}
