//! Faults and hosts.

use super::*;
use crate::engine::sim::{Fault, FaultKind, Hosts};

fn with(fault: Fault) -> Experiment {
    let mut e = base();
    e.faults = vec![fault];
    e
}

fn fault(kind: FaultKind, from: u64, to: u64) -> Fault {
    Fault { hosts: Hosts::Count(1), share: 1.0, ..kind.fault(ms(from), ms(to), 1, 1) }
}

#[test]
fn latency_multiplies_and_adds() {
    let mut slow = fault(FaultKind::Latency, 0, 500);
    (slow.strength, slow.add) = (2.0, ms(50));
    let mut fed = Fed::new(with(slow));
    fed.ask(0, 1).ask(600 * MS, 1).finish();
    // 401 · 2 + 50, and after the fault as ever.
    assert_eq!(fed.times(End::Served), [851, 1_001]);
}

#[test]
fn a_partition_loses_answers_and_connects() {
    let mut e = with(fault(FaultKind::Partition, 100, 3_000));
    e.policy.route.timeout = Some(ms(1_000));
    e.policy.upstream.connect_timeout = ms(500);
    let mut fed = Fed::new(e);
    // Under way when it begins: no answer. Afterwards: its connection is gone, and no new one comes.
    fed.ask(0, 1).ask(200 * MS, 1).ask(1_100 * MS, 1).ask(3_100 * MS, 1).finish();
    assert_eq!(fed.times(End::TimedOut), [1_000]);
    assert_eq!(fed.times(End::ConnectFailed), [700, 1_600]);
    assert_eq!(fed.times(End::Served), [3_501]);
}

#[test]
fn a_reset_takes_every_stream_of_an_http2_connection() {
    let mut e = base();
    let mut reset = fault(FaultKind::ConnectionReset, 100, 150);
    reset.share = 1.0;
    e.faults = vec![reset];
    e.policy.upstream.multiplexes = true;
    let mut fed = Fed::new(e.clone());
    fed.ask(0, 3).ask(110 * MS, 1).finish();
    // Half way through the one from 110: 310.
    assert_eq!(fed.times(End::Reset), [310, 310, 310, 310]);
    assert_eq!(fed.counter("upstream_cx_destroy_remote_with_active_rq"), 1);
    e.policy.upstream.multiplexes = false;
    let mut fed = Fed::new(e);
    fed.ask(0, 3).ask(110 * MS, 1).finish();
    assert_eq!((fed.ended(End::Reset), fed.ended(End::Served)), (1, 3));
}

#[test]
fn a_lost_zone_resets_what_is_open_and_answers_no_connect() {
    let mut e = with(fault(FaultKind::ZoneLoss, 100, 2_000));
    e.policy.upstream.connect_timeout = ms(500);
    let mut fed = Fed::new(e);
    fed.ask(0, 2).ask(200 * MS, 1).ask(2_100 * MS, 1).finish();
    assert_eq!(fed.times(End::Reset), [100, 100]);
    assert_eq!(fed.times(End::ConnectFailed), [700]);
    assert_eq!(fed.times(End::Served), [2_501]);
}

#[test]
fn a_deploy_takes_host_after_host() {
    let mut deploy = fault(FaultKind::RollingDeploy, 1_000, 3_000);
    (deploy.hosts, deploy.strength) = (Hosts::Count(2), 0.5);
    let mut e = with(deploy);
    e.hosts.count = 2;
    e.hosts.service = Service::Constant(ms(10));
    let mut fed = Fed::new(e);
    for n in 0..40 {
        fed.ask(n * 100 * MS, 1);
    }
    fed.finish();
    // Half of the requests from 1000 to 1500 and from 2000 to 2500 find nobody.
    assert_eq!(fed.ended(End::ConnectFailed), 5);
    assert!(
        fed.times(End::ConnectFailed)
            .iter()
            .all(|at| (1_000..1_600).contains(at) || (2_000..2_600).contains(at))
    );
    assert_eq!(fed.ended(End::Served), 35);
}

#[test]
fn a_host_with_slots_queues_and_finishes_what_nobody_wants() {
    let mut e = base();
    e.hosts.slots = Some(1);
    e.policy.route.timeout = Some(ms(500));
    let mut fed = Fed::new(e);
    fed.ask(0, 3).ask(900 * MS, 1).finish();
    // 401, then two that time out but are worked on to 801 and 1201; the last waits for them.
    assert_eq!(fed.times(End::Served), [401]);
    assert_eq!(fed.times(End::TimedOut), [500, 500, 1_400]);
    assert_eq!(fed.world.attempts.live(), 0);
}
