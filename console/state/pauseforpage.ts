/** Lets the page show and react before costly work goes on: awaiting what is there already does not. */
export function pauseForPage(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
