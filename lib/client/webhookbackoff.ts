/** Retries of the API server's webhooks, as in kube-apiserver; the first pause is configurable. */
export const webhookBackoff = { factor: 1.5, spread: [1, 1.2], tries: 5 } as const
