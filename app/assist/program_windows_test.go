package assist

const programSuffix = ".exe"
