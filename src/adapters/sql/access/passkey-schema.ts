export interface PasskeyTable {
  readonly id: string
  readonly name: string
  readonly rp_id: string
  readonly public_key: string
  readonly counter: number
  readonly transports: string
  readonly backed_up: number
  readonly created_at: number
  readonly last_used_at: number | null
  readonly person_id: string | null
}

export interface PasskeyChallengeTable {
  readonly challenge: string
  readonly purpose: 'register' | 'authenticate'
  readonly origin: string
  readonly rp_id: string
  readonly asked_by: string
  readonly expires_at: number
}
