//! Parallel jobs with results in order and a bounded number of them in flight.
//!
//! The calling thread gives jobs to rayon's threads and receives their results in the order of the
//! jobs, so the output does not depend on scheduling. A job starts only when it is fewer than
//! `ahead` jobs before the next result, which bounds the memory.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Duration;

/// Runs `make(0)` to `make(count - 1)` on rayon's threads and passes each result in order to `take`
/// on this thread. Stops at the first error of `take`.
pub(crate) fn ordered<T: Send, E>(
    count: usize,
    ahead: usize,
    make: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let stop = AtomicBool::new(false);
    let (make, stop) = (&make, &stop);
    rayon::in_place_scope_fifo(|scope| {
        let (sender, receiver) = channel();
        let mut early = BTreeMap::new();
        let mut started = 0;
        for next in 0..count {
            while started < count && started < next + ahead.max(1) {
                let job = started;
                let mut ticket = Ticket { sender: sender.clone(), job, result: None };
                scope.spawn_fifo(move |_| {
                    if !stop.load(Ordering::Relaxed) {
                        ticket.fill(make(job));
                    }
                });
                started += 1;
            }
            let result = loop {
                if let Some(result) = early.remove(&next) {
                    break result;
                }
                match receive(&receiver) {
                    Some((job, Some(result))) => early.insert(job, result),
                    // A job without a result has panicked; the scope propagates the panic.
                    _ => return Ok(()),
                };
            };
            if let Err(error) = take(next, result) {
                stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    })
}

/// Signals the end of a job on drop, also after a panic.
struct Ticket<T> {
    sender: Sender<(usize, Option<T>)>,
    job: usize,
    result: Option<T>,
}

impl<T> Ticket<T> {
    fn fill(&mut self, result: T) {
        self.result = Some(result);
    }
}

impl<T> Drop for Ticket<T> {
    fn drop(&mut self) {
        // The receiver is gone after an error.
        let _ = self.sender.send((self.job, self.result.take()));
    }
}

/// Waits for a message. A rayon thread executes other jobs meanwhile, since a pool of one would
/// otherwise deadlock.
fn receive<T>(receiver: &Receiver<T>) -> Option<T> {
    loop {
        match receiver.try_recv() {
            Ok(message) => return Some(message),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => {}
        }
        match rayon::yield_now() {
            None => return receiver.recv().ok(),
            Some(rayon::Yield::Executed) => {}
            Some(rayon::Yield::Idle) => {
                if let Ok(message) = receiver.recv_timeout(Duration::from_micros(100)) {
                    return Some(message);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    /// Takes a time unrelated to the job's index.
    fn slow_square(job: usize) -> usize {
        for step in 0..job.wrapping_mul(2_654_435_761) % 5000 {
            std::hint::black_box(step);
        }
        job * job
    }

    fn squares(count: usize, ahead: usize) -> Vec<usize> {
        let mut taken = Vec::new();
        let result: Result<(), ()> = ordered(count, ahead, slow_square, |job, square| {
            assert_eq!(job, taken.len());
            taken.push(square);
            Ok(())
        });
        result.unwrap();
        taken
    }

    #[test]
    fn results_come_in_order() {
        let expected: Vec<usize> = (0..500).map(|i| i * i).collect();
        assert_eq!(squares(500, 7), expected);
        assert_eq!(squares(0, 7), []);
    }

    #[test]
    fn a_pool_of_one_does_not_deadlock() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(pool.install(|| squares(100, 4)).len(), 100);
    }

    #[test]
    fn the_number_of_jobs_in_flight_is_bounded() {
        let (made, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let result: Result<(), ()> = ordered(
            200,
            5,
            |_| {
                let made = made.fetch_add(1, Ordering::SeqCst) + 1;
                made.saturating_sub(taken.load(Ordering::SeqCst))
            },
            |_, ahead| {
                // The result being taken is not counted yet.
                assert!(ahead <= 6, "{ahead} ahead");
                taken.fetch_add(1, Ordering::SeqCst);
                Ok(())
            },
        );
        result.unwrap();
    }

    #[test]
    fn an_error_ends_the_work() {
        let made = AtomicUsize::new(0);
        let result = ordered(
            10_000,
            4,
            |job| {
                made.fetch_add(1, Ordering::SeqCst);
                job
            },
            |job, _| if job == 3 { Err("enough") } else { Ok(()) },
        );
        assert_eq!(result, Err("enough"));
        assert!(made.load(Ordering::SeqCst) <= 8);
    }

    #[test]
    fn a_job_that_panics_does_not_leave_the_others_waiting() {
        let outcome = std::panic::catch_unwind(|| {
            let result: Result<(), ()> =
                ordered(20, 4, |job| assert!(job != 7, "job seven"), |_, ()| Ok(()));
            result
        });
        assert!(outcome.is_err());
    }
}
