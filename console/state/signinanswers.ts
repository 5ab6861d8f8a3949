/** Name of the broadcast channel from the window of a sign-in to the page that opened it. */
export const answersName = 'pilothouse-console-sign-in'
