/** The package has no types. */
declare module 'gltf-validator' {
  export interface ValidationMessage {
    readonly code: string;
    readonly message: string;
    /** 0: error, 1: warning, 2: information, 3: hint. */
    readonly severity: number;
    readonly pointer?: string;
  }
  export function validateBytes(
    bytes: Uint8Array,
    options: { readonly maxIssues: number; readonly ignoredIssues: readonly string[] },
  ): Promise<{ readonly issues: { readonly messages: readonly ValidationMessage[] } }>;
}
