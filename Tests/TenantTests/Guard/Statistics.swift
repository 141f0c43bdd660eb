// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Whether two samples are of one thing.
enum Statistics {
    /// Seconds of a processor's time that this thread has had.
    static func work() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func mean(_ sample: [Double]) -> Double { sample.reduce(0, +) / Double(sample.count) }

    static func median(_ sample: [Double]) -> Double { sample.sorted()[sample.count / 2] }

    /// Welch's t.
    static func t(_ a: [Double], _ b: [Double]) -> Double {
        func variance(_ sample: [Double]) -> Double {
            let mean = mean(sample)
            return sample.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(sample.count - 1)
        }
        let error = (variance(a) / Double(a.count) + variance(b) / Double(b.count)).squareRoot()
        return error == 0 ? 0 : (mean(a) - mean(b)) / error
    }

    /// The largest distance between two distributions (Kolmogorov and Smirnov), in units of the bound that one of a
    /// thousand pairs of samples of the same thing passes.
    static func distance(_ a: [Double], _ b: [Double]) -> Double {
        let (a, b) = (a.sorted(), b.sorted())
        var (i, j, largest) = (0, 0, 0.0)
        while i < a.count, j < b.count {
            let value = min(a[i], b[j])
            while i < a.count, a[i] <= value { i += 1 }
            while j < b.count, b[j] <= value { j += 1 }
            largest = max(largest, abs(Double(i) / Double(a.count) - Double(j) / Double(b.count)))
        }
        let (n, m) = (Double(a.count), Double(b.count))
        return largest / (1.95 * ((n + m) / (n * m)).squareRoot())
    }
}
