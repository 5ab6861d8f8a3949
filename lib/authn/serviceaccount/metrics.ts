import type { Metrics } from '../../base/index.ts'

export interface TokenMetrics {
  valid(): void
  stale(): void
  legacy(): void
  automatic(): void
  manual(): void
  invalidAutomatic(): void
}

export function createTokenMetrics(metrics: Metrics): TokenMetrics {
  const count = (name: string, help: string): (() => void) => {
    const counter = metrics.counter({ name: `serviceaccount_${name}_total`, help })
    return () => counter.add([])
  }
  return {
    valid: count('valid_tokens', 'Service account tokens that were valid.'),
    stale: count('stale_tokens', 'Service account tokens that should have been renewed, and were accepted.'),
    legacy: count('legacy_tokens', 'Service account tokens of secrets.'),
    automatic: count('legacy_auto_token_uses', 'Tokens of secrets that were made for their account.'),
    manual: count('legacy_manual_token_uses', 'Tokens of secrets that users created.'),
    invalidAutomatic: count('invalid_legacy_auto_token_uses', 'Tokens of secrets that were marked as invalid.'),
  }
}
