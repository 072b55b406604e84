import { useEffect, useState } from 'react'

/** A value as it is once nobody has changed it for a moment. */
export function useLater<Value>(value: Value, delayMs = 500): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
