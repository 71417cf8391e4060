//! Programs with correct proofs.

use crate::support::Case;

/// RA-A1.
pub const EVEN: Case = Case {
    name: "even",
    program: "
        m4(0).  m4(X+4) :- m4(X).
        even(0).  even(X+2) :- even(X).
        prove m4(X) |= even(X).",
    proof: "
    (proof (variable X Int) (variable Y Int)
      (obligation 1
        (unfold 1
          (case ()
            (right 1 1)
            close)
          (case (Y)
            (recall (hypothesis 1) ((X Y)) (1) ())
            (right 1 2 (+ Y 2))
            (right 1 2 Y)
            close))))",
};

/// RA-A1, without the fact.
pub const EVEN_OF_NOTHING: Case = Case {
    name: "even, of nothing",
    program: "
        m4(X+4) :- m4(X).
        even(0).  even(X+2) :- even(X).
        prove m4(X) |= even(X).",
    proof: "
    (proof (variable X Int) (variable Y Int)
      (obligation 1
        (unfold 1
          (case (Y)
            (recall (hypothesis 1) ((X Y)) (1) ())
            (right 1 2 (+ Y 2))
            (right 1 2 Y)
            close))))",
};

/// RA-A2: three facts about counting, and the computation tree of the processes that count.
pub const COUNTING: Case = Case {
    name: "counting ones",
    program: "
        sys(N,K,X) :- 1<=Id<=N, K[Id]=0, sys(N,<K,Id,1>,X+1).
        allzeroes(0,_,0).  allzeroes(N,<K,N,0>,0) :- N>0, allzeroes(N-1,K,0).
        allones(0,_,0).    allones(N,<K,N,1>,N) :- N>0, allones(N-1,K,N-1).
        bit(0).  bit(1).
        abs(0,_,0).        abs(N,<K,N,B>,M+B) :- N>0, bit(B), abs(N-1,K,M).
        start sys(N,K,X), allzeroes(N,K,X).
        abstract sys(N,K,X) by sys(N,K,X), abs(N,K,X).
        property sys(N,K,X), allones(N,K,Y) |= X = Y.
        prove \"abstraction\": allzeroes(N,K,X), 1<=Id<=N, K[Id]=0 |= abs(N,<K,Id,1>,X+1).
        prove \"subsumption\": abs(N,K,X), 1<=Id<=N, K[Id]=0 |= abs(N,<K,Id,1>,X+1).
        prove \"all\": abs(N,K,X), allones(N,K,Y) |= X=Y.",
    proof: include_str!("counting.proof"),
};

/// A predicate that says something of every place, shown at every place by induction on the place.
pub const POSITIVE: Case = Case {
    name: "positive",
    program: "
        pos(_,0).  pos(K,N) :- N>0, K[N]>0, pos(K,N-1).
        prove pos(K,N), E>0, I>0 |= pos(<K,I,E>,N).",
    proof: "
    (proof (variable K (-> Int Int)) (variable N Int) (variable E Int) (variable I Int)
           (variable J Int) (variable M Int)
           (variable K1 (-> Int Int)) (variable K2 (-> Int Int)) (variable N2 Int)
      (lemma (K N J)                                    ; every place is positive
        (((pos K N)) (and (<= 1 J) (<= J N)))
        ()
        (() (< 0 (K J)))
        (unfold 1
          (void (K1))
          (case (K2 N2)
            (split
              (when (= J N) close)
              (when (not (= J N))
                (recall (hypothesis 1) ((K K2) (N (+ N2 (- 1))) (J J)) (1) ())
                close)))))
      (lemma (K N E I M)                                ; so every place is positive after a write
        (((pos K N)) (and (< 0 E) (<= 0 M) (<= M N)))
        ()
        (((pos (lambda ((u Int)) (ite (= u I) E (K u))) M)) true)
        (measure M)
        (split
          (when (= M 0)
            (right 1 1 (lambda ((u Int)) (ite (= u I) E (K u))))
            close)
          (when (< 0 M)
            (recall (lemma 1) ((K K) (N N) (J M)) (1) ())
            (recall itself ((K K) (N N) (E E) (I I) (M (+ M (- 1)))) (1) ())
            (right 1 2 (lambda ((u Int)) (ite (= u I) E (K u))) M)
            close)))
      (obligation 1
        (split
          (when (<= 0 N)
            (recall (lemma 2) ((K K) (N N) (E E) (I I) (M N)) (1) ())
            close)
          (when (< N 0)
            (unfold 1 (void (K1)) (void (K2 N2)))))))",
};

/// RA-A3: two processes cannot both be critical.
pub const EXCLUSION: Case = Case {
    name: "exclusion",
    program: "
        abs(K,T,1) :- (K[1]=0, T[1]=0) \\/ (K[1]=1, T[1]>0).
        abs(K,T,N) :- N>1, ((K[N]=0, T[N]=0) \\/ (K[N]=1, T[N]>0)), abs(K,T,N-1).
        crit(T,1,Id) :- Id=1 \\/ T[1]=0 \\/ T[1]>T[Id].
        crit(T,N,Id) :- N>1, (Id=N \\/ T[N]=0 \\/ T[N]>T[Id]), crit(T,N-1,Id).
        prove abs(K,T,N), crit(T,N,I), crit(T,N,J), K[I]=1, K[J]=1, I!=J, 1<=I<=N, 1<=J<=N |= false.",
    proof: "
    (proof (variable K (-> Int Int)) (variable T (-> Int Int)) (variable N Int) (variable I Int) (variable J Int)
           (variable T1 (-> Int Int)) (variable I1 Int) (variable T2 (-> Int Int)) (variable N2 Int) (variable I2 Int)
           (variable K1 (-> Int Int)) (variable K2 (-> Int Int))
      (lemma (T N I J)
        (((crit T N I)) (and (<= 1 J) (<= J N) (not (= I J))))
        ()
        (() (or (= (T J) 0) (< (T I) (T J))))
        (unfold 1
          (case (T1 I1) close)
          (case (T2 N2 I2)
            (split
              (when (= J N) close)
              (when (distinct J N)
                (recall (hypothesis 1) ((T T2) (N (+ N2 (- 1))) (I I2) (J J)) (1) ())
                close)))))
      (lemma (K T N J)
        (((abs K T N)) (and (<= 1 J) (<= J N) (= (K J) 1)))
        ()
        (() (< 0 (T J)))
        (unfold 1
          (case (K1 T1) close)
          (case (K2 T2 N2)
            (split
              (when (= J N) close)
              (when (distinct J N)
                (recall (hypothesis 1) ((K K2) (T T2) (N (+ N2 (- 1))) (J J)) (1) ())
                close)))))
      (obligation 1
        (recall (lemma 1) ((T T) (N N) (I I) (J J)) (2) ())
        (recall (lemma 1) ((T T) (N N) (I J) (J I)) (3) ())
        (recall (lemma 2) ((K K) (T T) (N N) (J I)) (1) ())
        (recall (lemma 2) ((K K) (T T) (N N) (J J)) (1) ())
        close))",
};

/// An existential variable on the right, one that a hypothesis brings, and a goal in other words.
pub const HALVES: Case = Case {
    name: "halves",
    program: "
        even(0).  even(X+2) :- even(X).
        nat(0).   nat(X+1) :- nat(X).
        prove even(X) |= nat(?H), X = 2*?H.",
    proof: "
    (proof (variable X Int) (variable Y Int) (variable H Int) (bound H? Int H)
      (obligation 1
        (unfold 1
          (case ()
            (choose ((H? 0)))
            (right 1 1)
            close)
          (case (Y)
            (recall (hypothesis 1) ((X Y)) (1) (H))
            (restate ((2 H)) (= X (+ 2 (* 2 H)))
              (((nat H?)) (= (+ 2 (* 2 H)) (* 2 H?))))
            (choose ((H? (+ H 1))))
            (right 1 2 H)
            (each
              (part close)
              (part close))))))",
};

pub const RIGHT: [Case; 6] = [EVEN, EVEN_OF_NOTHING, COUNTING, POSITIVE, EXCLUSION, HALVES];
