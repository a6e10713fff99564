use super::*;

#[test]
fn the_holder_of_a_lock_is_found_among_others_and_those_who_wait() {
    let (device, inode) = (rustix::fs::makedev(0xfe, 0), 1234);
    let locks = "1: POSIX  ADVISORY  WRITE 1 fe:00:1234 0 EOF\n\
                 2: FLOCK  ADVISORY  WRITE 2 fe:00:12345 0 EOF\n\
                 3: FLOCK  ADVISORY  READ  3 fe:00:1234 0 EOF\n\
                 4: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF\n\
                 4: -> FLOCK  ADVISORY  WRITE 5 fe:00:1234 0 EOF\n";
    assert_eq!(holder_in(locks, device, inode), Some(4711));
    assert_eq!(holder_in("", device, inode), None);
}
