import { useEffect, useState } from 'react'

/** The value once it has stayed the same for a while: a slider passes many on its way. */
export function useSettled<Value>(value: Value, key: string, ms: number): Value {
  const [settled, setSettled] = useState({ value, key })
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ value, key }), ms)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- equal keys are equal values
  }, [key, ms])
  return settled.value
}
